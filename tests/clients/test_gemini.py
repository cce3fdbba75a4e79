"""Gemini CLI connects with what is printed for it, in trusted folders only, as docs/clients.md says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deskhand.isolation import NestedDesktop
from tests.clients.programs import configured, run, written

pytestmark = [pytest.mark.apps]


async def test_it_connects_where_the_folder_is_trusted(tmp_path: Path, fresh_desktop: NestedDesktop) -> None:
    servers = json.loads(await configured(tmp_path, "gemini", fresh_desktop.name))
    trusting = {**servers, "security": {"folderTrust": {"enabled": True}}}
    written(tmp_path / ".gemini" / "settings.json", trusting)
    project = tmp_path / "project"
    project.mkdir()
    assert "Disabled" in await listed(tmp_path, project)
    written(tmp_path / ".gemini" / "trustedFolders.json", {str(project): "TRUST_FOLDER"})
    assert f"mcp --desktop {fresh_desktop.name} (stdio) - Connected" in await listed(tmp_path, project)


async def listed(home: Path, project: Path) -> str:
    ran = await run(home, "gemini", "mcp", "list", folder=project)
    assert ran.code == 0, ran
    return ran.out + ran.err
