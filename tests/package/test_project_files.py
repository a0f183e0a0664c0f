"""The files that a public project has: workflows, issue forms, citation and hooks follow their schemas."""

import tomllib
from pathlib import Path

import pytest
from check_jsonschema import main as check_jsonschema
from click.testing import CliRunner
from ruamel.yaml import YAML

import bba
from bba.fault_address import LABEL

ROOT = Path(__file__).parents[2]
SCHEMAS = {
    ".github/workflows/test.yml": "vendor.github-workflows",
    ".github/workflows/release.yml": "vendor.github-workflows",
    ".github/ISSUE_TEMPLATE/bug_report.yml": "vendor.github-issue-forms",
    ".github/ISSUE_TEMPLATE/feature_request.yml": "vendor.github-issue-forms",
    ".github/ISSUE_TEMPLATE/config.yml": "vendor.github-issue-config",
    "CITATION.cff": "vendor.citation-file-format",
}


def read(path: str):
    return YAML(typ="safe").load((ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("file", "schema"), SCHEMAS.items())
def test_files_follow_the_schemas_that_come_with_the_checker(file, schema):
    arguments = ["--builtin-schema", schema, "--default-filetype", "yaml", str(ROOT / file)]
    done = CliRunner().invoke(check_jsonschema, arguments)
    assert done.exit_code == 0, done.output


def test_every_workflow_and_every_issue_form_has_a_schema():
    files = {*(ROOT / ".github/workflows").iterdir(), *(ROOT / ".github/ISSUE_TEMPLATE").iterdir()}
    assert {str(file.relative_to(ROOT)) for file in files} <= set(SCHEMAS)


def test_every_job_has_a_time_limit_and_the_least_permissions():
    for file in (file for file, schema in SCHEMAS.items() if schema == "vendor.github-workflows"):
        workflow = read(file)
        assert workflow["permissions"] == {"contents": "read"}
        assert all("timeout-minutes" in job for job in workflow["jobs"].values())


def test_the_citation_names_this_version_and_licence():
    citation = read("CITATION.cff")
    assert citation["version"] == bba.__version__
    assert citation["license"] == "MIT"
    assert (ROOT / "LICENSE").is_file()


def test_the_citation_names_the_preprint_and_no_authors_that_are_not_known():
    preprint = read("CITATION.cff")["references"][0]
    assert preprint["title"] == "Bayesian Partner Modelling enables Adaptive Replanning for LLM Coordination"
    assert preprint["authors"] == [{"name": "its authors, as its title page names them"}]


def test_one_line_says_where_faults_are_reported():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    (issues,) = [line for line in lines if line.startswith(f"{LABEL} = ")]
    assert tomllib.loads(issues)[LABEL].startswith("https://")


def test_the_hooks_run_what_make_runs_and_download_nothing():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (repository,) = read(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].replace(".venv/bin", "$(BIN)") in makefile
