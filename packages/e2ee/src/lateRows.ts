import { toHex, type Bytes } from './bytes.ts';
import { changeTypes, type Change, type Header, type LastRow } from './headers.ts';

/** Rows that a client folds because their device was gone (docs/encryption.md, section 4, Last rows). */

/** Message or deletion, as far as its place matters. */
export interface OrderedRow {
  /** Row hash of the message, or hash of the deletion. */
  readonly hash: Bytes;
  readonly device: Bytes;
  /** Epoch that it was sealed or signed in. */
  readonly epoch: number;
  /** Number of the newest header that stands before it in the server's order. */
  readonly after: number;
  /** Rows of its device that it names. */
  readonly own: readonly Bytes[];
  /** Held drafts are never late. */
  readonly held: boolean;
}

type EndingHeader = Pick<Header, 'n' | 'changes' | 'leftOut'>;

const lastRowsOf = (change: Change): readonly LastRow[] => ('lastRows' in change ? change.lastRows : []);

const endingTypes: readonly number[] = [
  changeTypes.remove,
  changeTypes.leave,
  changeTypes.role,
  changeTypes.setting,
  changeTypes.identity,
];

/** Returns true if rows of older epochs are late once this header stands before them. */
function endsOlderEpochs({ changes, leftOut }: EndingHeader, before: EndingHeader | undefined): boolean {
  if (changes.some((change) => endingTypes.includes(change.type) || lastRowsOf(change).length > 0)) return true;
  const known = new Set(before?.leftOut.map(({ device }) => toHex(device)));
  return leftOut.some(({ device }) => !known.has(toHex(device)));
}

/** Returns the numbers of the headers after which rows of older epochs are late. */
export const endingHeaders = (headers: readonly EndingHeader[]): number[] =>
  headers.filter((header, at) => endsOlderEpochs(header, headers[at - 1])).map(({ n }) => n);

/** Returns the hashes of a row and of all its ancestors, as far as they are known. */
function withAncestors(row: Bytes | null, rows: ReadonlyMap<string, OrderedRow>): Set<string> {
  const kept = new Set<string>();
  const open = row ? [toHex(row)] : [];
  for (let hash = open.pop(); hash !== undefined; hash = open.pop()) {
    if (kept.has(hash)) continue;
    kept.add(hash);
    open.push(...(rows.get(hash)?.own ?? []).map(toHex));
  }
  return kept;
}

/**
 * Returns the hashes of late rows, as hexadecimal digits: clients fold these and do not notify. A row is late if a
 * header that it precedes by its epoch names a last row of its device and the row is neither that nor an ancestor, or
 * if it stands after a header that ended its epoch for somebody.
 *
 * @param headers accepted headers of the conversation, in order
 * @param rows known messages and deletions of the conversation, in any order
 * @param isComplete false if others exist: a row before the header is then not late while one of them may name it
 */
export function findLateRows(
  headers: readonly EndingHeader[],
  rows: readonly OrderedRow[],
  isComplete = true,
): Set<string> {
  const byHash = new Map(rows.map((row) => [toHex(row.hash), row]));
  const ending = endingHeaders(headers);
  const late = new Set<string>();
  for (const [hash, { held, epoch, after }] of byHash)
    if (!held && ending.some((n) => epoch < n && n <= after)) late.add(hash);
  for (const { n, changes, leftOut } of headers) {
    const last = new Map<string, Bytes | null>();
    for (const { device, row } of [...changes.flatMap(lastRowsOf), ...leftOut]) last.set(toHex(device), row);
    for (const [device, row] of last) {
      const kept = withAncestors(row, byHash);
      const isOpen = !isComplete && [...kept].some((hash) => !byHash.has(hash));
      for (const [hash, one] of byHash) {
        const isJudged = !one.held && one.epoch < n && toHex(one.device) === device && !(isOpen && one.after < n);
        if (isJudged && !kept.has(hash)) late.add(hash);
      }
    }
  }
  return late;
}
