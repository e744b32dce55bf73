import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { projectRoot } from '../paths.ts';
import { formatText } from './formatText.ts';

const page = 'docs/performance.md';
const folder = 'docs/measurements';

const measurementSchema = z.strictObject({
  /** Command that repeats the measurement. */
  command: z.string(),
  entries: z.array(
    z.strictObject({
      what: z.string(),
      /** Target, or "none". */
      target: z.string(),
      /** Last figure, with its unit. */
      figure: z.string(),
      /** Conditions of the figure: number of runs, machine, other work. */
      condition: z.string(),
      /** "yes", "no", or a remark on the target; empty if there is no target. */
      reached: z.string(),
    }),
  ),
});

type Measurement = z.infer<typeof measurementSchema>;

const head = ['What', 'Target', 'Figure', 'Condition', 'Reached', 'Command'];

/** Returns the table of all measurements in Markdown, one row per entry. */
export function renderTable(measurements: readonly Measurement[]): string {
  const rows = measurements.flatMap(({ command, entries }) =>
    entries.map(({ what, target, figure, condition, reached }) => [
      what,
      target,
      figure,
      condition,
      reached,
      command.startsWith('npm ') ? `\`${command}\`` : command,
    ]),
  );
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Replaces the table between the two markers of the page. */
export async function replaceTable(markdown: string, table: string): Promise<string> {
  const [before, , after] = markdown.split(/^<!-- (?:table|end of the table) -->$/m);
  if (before === undefined || after === undefined) throw new Error(`${page} lacks the markers of the table.`);
  const text = `${before}<!-- table -->\n\n${table}\n\n<!-- end of the table -->${after}`;
  return await formatText(page, text);
}

async function readMeasurements(): Promise<Measurement[]> {
  const names = (await readdir(join(projectRoot, folder))).filter((name) => name.endsWith('.json')).sort();
  return await Promise.all(
    names.map(async (name) =>
      measurementSchema.parse(JSON.parse(await readFile(join(projectRoot, folder, name), 'utf8'))),
    ),
  );
}

/** Returns the page as it is, and as it should be. */
async function renderPage(): Promise<{ present: string; expected: string }> {
  const present = await readFile(join(projectRoot, page), 'utf8');
  return { present, expected: await replaceTable(present, renderTable(await readMeasurements())) };
}

/** Reports a page whose table does not match the measurements. */
export async function findTableProblems(): Promise<string[]> {
  const { present, expected } = await renderPage();
  return present === expected ? [] : [`${page} is outdated. Run \`npm run generate:performance\`.`];
}

if (import.meta.main) {
  await writeFile(join(projectRoot, page), (await renderPage()).expected);
}
