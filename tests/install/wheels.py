"""The wheel, built and installed as a user has it, from what ``scripts/tools`` fetched: no network."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.outside import ROOT, bare_environment, outside

LONGEST = 180.0


def build_wheel(folder: Path) -> Path:
    """The wheel of this source, made by the build back end that pyproject.toml names."""
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install it into a new environment; the command."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(folder / "bin" / "python"),
        "install",
        "--quiet",
        "--no-compile",
    ]
    subprocess.run([*pip, str(wheel)], env={**os.environ, **without_network()}, check=True)
    return folder / "bin" / "deskhand"


def without_network() -> Mapping[str, str]:
    """Variables by which pip, pipx and uv install from the fetched wheels alone."""
    wheels = str(outside().wheels)
    own = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels, "PIP_NO_CACHE_DIR": "1"}
    return {**own, "UV_OFFLINE": "1", "UV_NO_INDEX": "1", "UV_FIND_LINKS": wheels, "UV_NO_CONFIG": "1"}


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with a home and a session of their own, who starts isolated desktops that nobody else sees."""

    home: Path

    @property
    def environment(self) -> dict[str, str]:
        own = bare_environment(self.home, XDG_RUNTIME_DIR=str(self.home / "run"), **without_network())
        return {**own, "PATH": f"{self.home / '.local' / 'bin'}:{own['PATH']}"}

    def run(self, *command: str, code: int = 0, **more: str) -> str:
        """What a command that ends with ``code`` prints, on both streams."""
        ran = subprocess.run(
            command, cwd=ROOT, env={**self.environment, **more}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=LONGEST, check=False,
        )  # fmt: skip
        assert ran.returncode == code, f"{command} ended with {ran.returncode}:\n{ran.stdout}"
        return ran.stdout


@contextmanager
def a_user() -> Iterator[User]:
    """A new user; their desktops end with the test. The path is short: it holds sockets."""
    with tempfile.TemporaryDirectory(prefix="dh") as folder:
        home = Path(folder)
        (home / "run").mkdir(mode=0o700)
        try:
            yield User(home)
        finally:
            _end_desktops(home / "run")


def _end_desktops(runtime: Path) -> None:
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime)}
    command = [sys.executable, "-m", "deskhand", "desktop"]
    names = subprocess.run([*command, "list"], env=environment, capture_output=True, text=True, check=True).stdout
    going = [line.split()[0] for line in names.splitlines() if line != "no desktops"]
    ended = [subprocess.Popen([*command, "stop", name], env=environment, stdout=subprocess.DEVNULL) for name in going]
    assert [each.wait(LONGEST) for each in ended] == [0] * len(ended)
