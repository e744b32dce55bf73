import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../paths.ts';
import { formatText } from './formatText.ts';

const alertsFile = 'deploy/grafana/alerts.yaml';
const page = 'docs/runbooks.md';

const introduction = `# Runbooks

Steps for each alert. First look at the dashboard _Nolo / Overview_, then at the logs of the named service with
\`level\` \`warn\` or higher. This page is generated: edit the comments in \`${alertsFile}\` and run
\`npm run generate:runbooks\`.`;

/** Returns the runbook of each alert that has one: the comment that starts with "Runbook:". */
export function runbooksOf(alerts: string): Map<string, string> {
  const runbooks = new Map<string, string>();
  let alert = '';
  let lines: string[] | undefined;
  for (const line of alerts.split('\n')) {
    alert = /^ *- alert: (\w+)/.exec(line)?.[1] ?? alert;
    const comment = /^ +#(?: (.*))?$/.exec(line);
    if (comment?.[1] === 'Runbook:') lines = [];
    else if (lines && comment) lines.push(comment[1] ?? '');
    else if (lines) {
      runbooks.set(alert, lines.join('\n'));
      lines = undefined;
    }
  }
  return runbooks;
}

/** Returns the page of all runbooks in the order of the alerts. */
async function renderRunbooks(alerts: string): Promise<string> {
  const sections = [...runbooksOf(alerts)].map(([alert, text]) => `## ${alert}\n\n${text}`);
  return await formatText(page, [introduction, ...sections].join('\n\n'));
}

const read = (path: string) => readFile(join(projectRoot, path), 'utf8');

/** Reports a page that does not match the alerts. */
export async function findRunbookProblems(): Promise<string[]> {
  const expected = await renderRunbooks(await read(alertsFile));
  return expected === (await read(page)) ? [] : [`${page} is outdated. Run \`npm run generate:runbooks\`.`];
}

if (import.meta.main) {
  await writeFile(join(projectRoot, page), await renderRunbooks(await read(alertsFile)));
}
