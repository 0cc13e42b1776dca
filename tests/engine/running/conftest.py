"""The command line alone in a folder with the demonstration."""

import pytest
from house import House


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    house = House(tmp_path_factory.mktemp("house"))
    house.install("demo")
    return house
