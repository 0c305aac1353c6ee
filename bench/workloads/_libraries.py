"""Libraries for Node.js and Python, from npm and PyPI, which are kept beside the results."""
import json
import os
import subprocess
import sys

from measure import results_directory


def npm(name, *packages):
    """A directory with these in its node_modules"""
    directory = results_directory() / name
    if not all((directory / 'node_modules' / package.split('@')[0]).exists() for package in packages):
        subprocess.run(['npm', 'install', '--silent', '--no-audit', '--no-fund', '--no-save', '--cache', results_directory() / 'npm',
                        '--prefix', directory, *packages], check=True, stdout=subprocess.DEVNULL)
    return directory


def npm_version(directory, package):
    return json.loads((directory / 'node_modules' / package / 'package.json').read_text())['version']


def pip(name, *packages):
    """A directory for PYTHONPATH"""
    directory = results_directory() / name
    if not directory.exists():
        subprocess.run([sys.executable, '-m', 'pip', 'install', '-q', '--no-cache-dir', '--target', directory, *packages], check=True,
                       env=os.environ | {'PIP_ROOT_USER_ACTION': 'ignore'})
    return directory
