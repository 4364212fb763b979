"""The site with limits that stop no crowd from this machine: the Procfile's `web`, for load and for suites."""

import sys

from tools.visitors import CROWDED
from web.__main__ import main

if __name__ == "__main__":
    sys.exit(main(CROWDED))
