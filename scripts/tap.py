"""For tests that are written in Python, which import this: they print TAP."""


def report(tests):
    """Of each of (name, problems), which are lines; true if one has any.  Tests may be made one by one."""
    failed = False
    number = 0
    for number, (name, problems) in enumerate(tests, 1):
        problems = list(problems)
        print("%s %d - %s" % ("not ok" if problems else "ok", number, name), flush=True)
        for problem in problems:
            print("# " + problem)
        failed = failed or bool(problems)
    print("1..%d" % number)
    return failed
