/** `node scripts/check/commentSubjects.ts`: prints how many comments lack a subject, as CONTRIBUTING.md defines it. */
import { readTrackedFiles } from './trackedFiles.ts';
import { countComments } from './wording.ts';

const { comments, lacking } = countComments(await readTrackedFiles());
process.stdout.write(
  `${lacking} of ${comments} comments lack a subject (${((100 * lacking) / comments).toFixed(1)} %).\n`,
);
