import type { OperatorAct } from '@nolo/api';

/** The entries as JSON lines, each with all that its hash was made of. */
export function actLines(acts: readonly OperatorAct[]): string {
  return acts.map((act) => `${JSON.stringify(act)}\n`).join('');
}
