/** Why an export is not opened. */
export type ExportFileProblem =
  /** Another kind of file. */
  | 'not_export'
  /** Cut off, or not as an export is written. */
  | 'damaged'
  /** Export of another account. */
  | 'foreign'
  /** This device has no keys, and the export has sealed messages. */
  | 'no_keys';

export class ExportFileError extends Error {
  readonly code: ExportFileProblem;

  constructor(code: ExportFileProblem) {
    super(`The export cannot be opened: ${code}.`);
    this.name = 'ExportFileError';
    this.code = code;
  }
}
