import type { OperatorAct } from '@nolo/api';

/** Formats the entries as JSON lines, each with everything that its hash covers. */
export function actLines(acts: readonly OperatorAct[]): string {
  return acts.map((act) => `${JSON.stringify(act)}\n`).join('');
}
