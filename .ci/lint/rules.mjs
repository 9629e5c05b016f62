// What this project asks of its workflows beyond what actionlint knows. Each rule takes the text of a file and what YAML makes
// of it, and returns complaints.
import { parse } from "yaml";

const PINNED = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;
// A host in front of a repository, but for the examples' and those of URLs.
const HOST = /(?<![\w@/.-])(?!registry\.example\.com)[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:io|com|org|dev|aws)(?::\d+)?\/\w/;
const EXPRESSION = /\$\{\{/;

/** Complaints about a workflow. */
export function complaintsAboutWorkflow(text) {
  const workflow = parse(text);
  const complaints = [];
  if (typeof workflow.permissions !== "object" || Object.keys(workflow.permissions ?? {}).length > 0) {
    complaints.push("permissions: {} is expected of the workflow, so that each job names its own");
  }
  const scripts = Object.values(workflow.jobs ?? {}).some((job) => job.steps?.some((step) => step.run !== undefined));
  if (scripts && workflow.defaults?.run?.shell !== "bash") {
    complaints.push("defaults.run.shell: bash is expected, or the first program of a pipe may fail unseen");
  }
  for (const [name, job] of Object.entries(workflow.jobs ?? {})) {
    complaints.push(...complaintsAboutJob(job).map((complaint) => `job ${name}: ${complaint}`));
  }
  return [...complaints, ...complaintsAboutPins(text), ...complaintsAboutHosts(text)];
}

function complaintsAboutJob(job) {
  const complaints = [];
  if (typeof job.permissions !== "object") {
    complaints.push("permissions are expected");
  }
  if (job.uses === undefined && typeof job["timeout-minutes"] !== "number") {
    complaints.push("timeout-minutes is expected");
  }
  for (const step of job.steps ?? []) {
    if (step.uses?.startsWith("actions/checkout@") && step.with?.["persist-credentials"] !== false) {
      complaints.push("persist-credentials: false is expected of actions/checkout");
    }
    if (EXPRESSION.test(step.run ?? "")) {
      complaints.push("an expression inside a script may be code of a stranger: pass it by env");
    }
  }
  return complaints;
}

function complaintsAboutPins(text) {
  return [...text.matchAll(/^[ -]*uses: (\S+)(.*)$/gm)]
    .filter(([, action, comment]) => !action.startsWith("./") && !(PINNED.test(action) && /^ # v\d+\.\d+\.\d+$/.test(comment)))
    .map(([, action]) => `${action}: a commit is expected, with the version as a comment`);
}

/** Complaints about registry hosts: they are settings of who runs the workflows. */
export function complaintsAboutHosts(text) {
  const host = HOST.exec(text);
  return host === null ? [] : [`${host[0]}…: the host of a registry is expected to be a setting`];
}

/** Complaints about dependabot.yml; isFolder says whether a path from the root is one. */
export function complaintsAboutDependabot(text, isFolder) {
  const { version, updates } = parse(text);
  const complaints = version === 2 ? [] : ["version: 2 is expected"];
  for (const update of updates ?? []) {
    const folders = update.directories ?? [update.directory];
    for (const folder of folders.filter((path) => !isFolder(path ?? "(none)"))) {
      complaints.push(`${update["package-ecosystem"]}: ${folder} is no folder`);
    }
    if (update.schedule?.interval === undefined) {
      complaints.push(`${update["package-ecosystem"]}: schedule.interval is expected`);
    }
  }
  return updates?.length > 0 ? complaints : [...complaints, "updates are expected"];
}

/** Complaints about the form of an issue. */
export function complaintsAboutForm(text) {
  const form = parse(text);
  const complaints = ["name", "description", "body"].filter((key) => !form[key]).map((key) => `${key} is expected`);
  const ids = new Set();
  for (const field of form.body ?? []) {
    const label = field.attributes?.label;
    if (!["markdown", "input", "textarea", "dropdown", "checkboxes"].includes(field.type)) {
      complaints.push(`"${field.type}" is no type of field`);
    } else if (field.type === "markdown" ? !field.attributes?.value : !label) {
      complaints.push(`a ${field.type} without ${field.type === "markdown" ? "value" : "label"}`);
    }
    if (field.id !== undefined && ids.has(field.id)) {
      complaints.push(`two fields have the id ${field.id}`);
    }
    ids.add(field.id);
  }
  return complaints;
}

/** Complaints about CODEOWNERS; exists says whether a path from the root is there. */
export function complaintsAboutOwners(text, exists) {
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).flatMap((line) => {
    const [pattern, ...owners] = line.split(/\s+/);
    const complaints = owners.length > 0 && owners.every((owner) => /^@[\w-]+(?:\/[\w-]+)?$/.test(owner))
      ? [] : [`${pattern}: owners such as @organization/team are expected`];
    return pattern === "*" || exists(pattern) ? complaints : [...complaints, `${pattern} is not there`];
  });
}

/** Complaints about maven-wrapper.properties. */
export function complaintsAboutWrapper(text) {
  return /^distributionSha256Sum=[0-9a-f]{64}$/m.test(text) ? [] : ["distributionSha256Sum: the SHA-256 of the distribution is expected"];
}
