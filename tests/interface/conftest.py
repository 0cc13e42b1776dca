"""The command line in the process of the test."""

import pytest
from house import CommandLine


@pytest.fixture
def theorems(monkeypatch, tmp_path, capfd):
    return CommandLine(monkeypatch, tmp_path, capfd)
