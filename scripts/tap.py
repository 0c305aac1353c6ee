"""For tests that are written in Python, which import this: they print TAP."""


def report(tests):
    """Of each of (name, problems), which are lines; true if one has any.  Tests may be made one by one.
    Where a third tells what is to be done, problems are only shown."""
    failed = False
    number = 0
    for number, (name, problems, *todo) in enumerate(tests, 1):
        problems = list(problems)
        to_do = " # TODO " + todo[0] if problems and any(todo) else ""
        print("%s %d - %s%s" % ("not ok" if problems else "ok", number, name, to_do), flush=True)
        for problem in problems:
            print("# " + problem)
        failed = failed or bool(problems) and not to_do
    print("1..%d" % number)
    return failed
