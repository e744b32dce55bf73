import type { BillingAuditRecord } from '@nolo/api';

export const auditFormats = ['csv', 'json'] as const;
export type AuditFormat = (typeof auditFormats)[number];

const columns = ['at', 'operatorId', 'action', 'subject', 'allowed', 'details', 'id'] as const;

/**
 * Formats one cell of CSV (RFC 4180). Spreadsheets treat cells that begin with one of these as a formula, and users
 * typed some of them: an apostrophe makes them text.
 */
function cellOf(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Builds a file of the records, in the given order. */
export function createAuditFile(records: readonly BillingAuditRecord[], format: AuditFormat): Blob {
  if (format === 'json') return new Blob([`${JSON.stringify(records, null, 2)}\n`], { type: 'application/json' });
  const rows = records.map((record) => columns.map((column) => cellOf(record[column])).join(','));
  return new Blob([[columns.join(','), ...rows, ''].join('\r\n')], { type: 'text/csv;charset=utf-8' });
}
