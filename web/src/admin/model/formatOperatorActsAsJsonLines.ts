import type { OperatorAuditEntry } from '@nolo/api';

/** Formats the entries as JSON lines, each with everything that its hash covers. */
export function formatOperatorActsAsJsonLines(acts: readonly OperatorAuditEntry[]): string {
  return acts.map((act) => `${JSON.stringify(act)}\n`).join('');
}
