import type { Route, User } from '@nolo/api';
import type { Clients } from '../clients.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import type { RouteCall } from '../http/routeBinder.ts';
import { findPeople } from '../mapping/findPeople.ts';

type ViewerCall = Pick<RouteCall<Route>, 'rpc' | 'response'> & { actor: { userId: string } };

/** Maps a page of rows about people as the viewer sees them, and sends its cursor. */
export async function toPageOfPeople<Row extends { userId?: string | undefined }, Item>(
  context: Pick<Clients, 'identity'>,
  { actor, rpc, response }: ViewerCall,
  { rows, nextCursor }: { rows: readonly Row[]; nextCursor?: string | undefined },
  toItem: (row: Row, people: ReadonlyMap<string, User>) => Item,
): Promise<Item[]> {
  setNextPageHeader(response, nextCursor);
  const ids = rows.flatMap(({ userId }) => userId ?? []);
  const people = await findPeople(context, actor.userId, ids, rpc);
  return rows.map((row) => toItem(row, people));
}
