// usage: node lint.mjs ROOT
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { actionlint } from "./actionlint.mjs";
import * as rules from "./rules.mjs";

const root = process.argv[2] ?? ".";
const read = (file) => readFileSync(join(root, file), "utf8");
const exists = (path) => existsSync(join(root, path));
const isFolder = (path) => exists(path) && statSync(join(root, path)).isDirectory();
const yamlFiles = (folder) => readdirSync(join(root, folder)).filter((name) => /\.ya?ml$/.test(name)).map((name) => `${folder}/${name}`);

let checked = 0;
let complained = 0;
function report(file, complaints) {
  checked++;
  complained += complaints.length;
  complaints.forEach((complaint) => console.log(`${file}: ${complaint}`));
}

for (const file of yamlFiles(".github/workflows")) {
  report(file, await actionlint(read(file), file));
  report(file, rules.complaintsAboutWorkflow(read(file)));
}
report(".github/dependabot.yml", rules.complaintsAboutDependabot(read(".github/dependabot.yml"), isFolder));
for (const file of yamlFiles(".github/ISSUE_TEMPLATE").filter((name) => !name.endsWith("/config.yml"))) {
  report(file, rules.complaintsAboutForm(read(file)));
}
report(".github/CODEOWNERS", rules.complaintsAboutOwners(read(".github/CODEOWNERS"), exists));
for (const file of ["compose.yaml", ".devcontainer/devcontainer.json", ".devcontainer/Dockerfile", "k8s/kind"]) {
  report(file, rules.complaintsAboutHosts(read(file)));
}
report(".mvn/wrapper/maven-wrapper.properties", rules.complaintsAboutWrapper(read(".mvn/wrapper/maven-wrapper.properties")));
// These fail by themselves where they cannot be read.
parse(read(".github/ISSUE_TEMPLATE/config.yml"));
JSON.parse(read(".devcontainer/devcontainer.json"));
parseAllDocuments(read("compose.yaml"), { strict: true }).forEach(({ errors }) => report("compose.yaml", errors.map(String)));

console.log(complained === 0 ? `${checked} checks of workflows and settings: nothing found` : `${complained} complaints`);
process.exit(complained === 0 ? 0 : 1);
