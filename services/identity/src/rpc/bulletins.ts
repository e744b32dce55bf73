import { parseId } from '@nolo/kit/ids';
import { defineCursor, idPart, pageSize, timePart } from '@nolo/kit/pages';
import type { RpcHandler, RpcHandlers } from '@nolo/kit/rpc';
import type { Bulletin as BulletinReply, BulletinServiceService } from '@nolo/proto/bulletins';
import { bulletinLimits } from '@nolo/rules';
import { readBulletin, type Bulletin, type Bulletins } from '../domain/bulletins.ts';
import { failIdentity } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { actingOf, admitOperator, admitted } from './operators.ts';

const usualPage = 50;
const mostBulletins = 100;
/** ID that no announcement has. */
const nobodyId = '00000000-0000-0000-0000-000000000000';
const place = defineCursor<{ createdAt: Date; id: string }>({ createdAt: timePart, id: idPart() });

const toReply = ({ endedAt, texts, ...bulletin }: Bulletin): BulletinReply => ({
  ...bulletin,
  texts: { ...texts },
  endedAt: endedAt ?? undefined,
});

interface Needs extends Pick<Dependencies, 'clock' | 'holdsPass' | 'metrics' | 'operators'> {
  readonly bulletins: Bulletins;
}
type Handler<Name extends keyof typeof BulletinServiceService> = RpcHandler<(typeof BulletinServiceService)[Name]>;

export function bulletinHandlers(dependencies: Needs): RpcHandlers<typeof BulletinServiceService> {
  return {
    listCurrentBulletins: listCurrentBulletins(dependencies),
    listBulletins: listBulletins(dependencies),
    makeBulletin: makeBulletin(dependencies),
    endBulletin: endBulletin(dependencies),
  };
}

export function listCurrentBulletins({ bulletins, clock }: Needs): Handler<'listCurrentBulletins'> {
  return async () => ({ bulletins: (await bulletins.current(clock.now())).map(toReply) });
}

export function listBulletins({ bulletins, clock }: Needs): Handler<'listBulletins'> {
  return async (request) => {
    const acting = actingOf(request);
    const limit = pageSize(request.limit, usualPage, mostBulletins);
    const page = { before: place.read(request.cursor), limit: limit + 1 };
    const { bulletins: found } = admitted(await bulletins.list(acting, page, clock.now()));
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { bulletins: found.slice(0, limit).map(toReply), nextCursor: last && place.write(last) };
  };
}

export function makeBulletin(dependencies: Needs): Handler<'makeBulletin'> {
  const { bulletins, clock, metrics } = dependencies;
  return async (request) => {
    const acting = actingOf(request);
    const { texts, severity = '', until } = request;
    const now = clock.now();
    const draft = readBulletin({ texts, severity, until }, now);
    if (!draft) {
      // Checked first, so people who are not operators learn nothing about validation.
      await admitOperator(dependencies)(request);
      const { length, days } = bulletinLimits;
      const what = `An announcement must have an English text of at most ${length} characters and end within ${days} days.`;
      throw failIdentity('invalid', 'bulletin_invalid', what);
    }
    const made = admitted(await bulletins.make(acting, draft, now));
    if (made.outcome === 'too_many') {
      throw failIdentity('conflict', 'too_many_bulletins', 'Too many announcements at once. End one first.');
    }
    metrics.operatorActs.inc({ action: 'announced' });
    return toReply(made.bulletin);
  };
}

export function endBulletin({ bulletins, clock }: Needs): Handler<'endBulletin'> {
  return async (request) => {
    const id = parseId(request.bulletinId) ?? nobodyId;
    const ended = admitted(await bulletins.end(actingOf(request), id, clock.now()));
    if (ended.outcome === 'none') {
      throw failIdentity('not_found', 'bulletin_not_found', 'This announcement has ended.');
    }
    return toReply(ended.bulletin);
  };
}
