import { isId } from '@nolo/kit/ids';
import type { UndoNoticeReply, UndoNoticeRequest } from '@nolo/proto/security';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { noticeNotFound } from './markNoticesSeen.ts';
import { proofRequired, readAsking } from './proofErrors.ts';

type Deps = Pick<RpcDeps, 'clock' | 'frames' | 'notices' | 'sessionCache'>;

/**
 * It takes proof like any other change: otherwise whoever got hold of an old session could bring back what its owner had
 * just taken away from them. A number that was replaced counts as proof for as long as it can take the account back.
 */
export function undoNotice({ clock, frames, notices, sessionCache }: Deps) {
  return async (request: UndoNoticeRequest): Promise<UndoNoticeReply> => {
    const asking = readAsking(request);
    if (!isId(request.noticeId)) throw noticeNotFound();
    const undone = await notices.undo(asking, request.noticeId, clock.now());
    switch (undone.outcome) {
      case 'unproven':
        throw proofRequired();
      case 'missing':
        throw noticeNotFound();
      case 'settled':
        throw failIdentity('conflict', 'notice_settled', 'There is nothing to undo about this any more.');
      case 'undone': {
        const { changes, endedTokenHashes } = undone;
        if (endedTokenHashes.length > 0) await sessionCache.forget(endedTokenHashes);
        await frames.send([asking.userId], { type: 'self_changed', data: {} });
        return { endedSessions: endedTokenHashes.length, undoneChanges: changes };
      }
    }
  };
}
