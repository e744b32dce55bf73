/** Reason why an export is not opened. */
export type ExportFileProblem =
  /** File of another kind. */
  | 'not_export'
  /** Cut off, or not as an export is written. */
  | 'damaged'
  /** Export of another account. */
  | 'foreign'
  /** Messages are sealed, and this device has no keys. */
  | 'no_keys';

export class ExportFileError extends Error {
  readonly code: ExportFileProblem;

  constructor(code: ExportFileProblem) {
    super(`The export cannot be opened: ${code}.`);
    this.name = 'ExportFileError';
    this.code = code;
  }
}
