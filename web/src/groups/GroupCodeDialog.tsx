import { routes, type Conversation } from '@nolo/api';
import { inviteByRoute } from '@nolo/client/chat/sealedDecisions';
import { useState } from 'react';
import { call } from '../api/httpClient.ts';
import { useChat } from '../chat/context/chatContext.ts';
import { useShareActions } from '../shell/useShareActions.ts';
import { Button } from '../ui/Button.tsx';
import { RoomCodeDialog } from '../ui/RoomCodeDialog.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { groupUrl, withEntryKey } from './groupAddress.ts';
import { useChangeByRoute } from './useChangeByRoute.ts';
import { useGroupAction } from './useGroupAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { groupsTexts } from './groupsTexts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

export interface GroupCodeDialogProps {
  id: string;
  group: NonNullable<Conversation['group']>;
  onClose: () => void;
}

/** Room code and invite links of a group, for people who may change and expire them (decision 9). */
export function GroupCodeDialog({ id, group, onClose }: GroupCodeDialogProps) {
  const { t } = useTexts(groupsTexts, roomCodeTexts);
  const failure = t('roomCode:failed');
  const rotating = useGroupAction(
    id,
    (expiresAt: string | null) => call(routes.rotateGroupCode, { params: { id }, body: { expiresAt } }),
    { failure, done: ({ roomCode: code }) => t('roomCode:rotated', { code: code ?? '' }) },
  );
  const expiring = useGroupAction(id, () => call(routes.expireGroupCode, { params: { id } }), {
    failure,
    done: () => t('roomCode:expired'),
  });
  const { copy } = useShareActions();
  const { roomCode, codeExpiresAt } = group;
  return (
    <RoomCodeDialog
      words={{
        title: t('groups:code.title'),
        text: t('groups:code.text'),
        none: t('groups:code.none'),
        rotateText: t('groups:code.rotateText'),
        expireText: t('groups:code.expireText'),
      }}
      code={roomCode}
      expiresAt={codeExpiresAt}
      onCopy={(code) => void copy(code, t('roomCode:codeCopied'))}
      onRotate={rotating.run}
      onExpire={expiring.run}
      onClose={onClose}
      link={
        roomCode !== null && (
          <CopyField
            label={t('groups:share.link')}
            value={groupUrl(roomCode)}
            copyLabel={t('roomCode:copyLink')}
            onCopy={() => void copy(groupUrl(roomCode), t('groups:share.linkCopied'))}
          />
        )
      }
    >
      <InviteLink id={id} group={group} />
    </RoomCodeDialog>
  );
}

/** Invite link that admits directly. The server stores only its hash, so it is shown once. */
function InviteLink({ id, group }: Omit<GroupCodeDialogProps, 'onClose'>) {
  const { t } = useTexts(groupsTexts, roomCodeTexts);
  const { copy } = useShareActions();
  const [url, setUrl] = useState<string | null>(null);
  const failure = t('groups:code.inviteFailed');
  const { engine } = useChat();
  const change = useChangeByRoute(id);
  const create = async () => {
    const { reply, key } = await inviteByRoute(engine, id, (body) =>
      call(routes.createGroupInvite, { params: { id }, body }),
    );
    return { inviteUrl: key === null ? reply.inviteUrl : withEntryKey(reply.inviteUrl, id, key) };
  };
  const creating = useGroupAction(id, create, {
    failure,
    done: () => t('groups:code.inviteMade'),
    onDone: ({ inviteUrl }) => setUrl(inviteUrl),
  });
  const revoke = () =>
    change([{ kind: 'invite', key: null }], (body) => call(routes.revokeGroupInvite, { params: { id }, body }));
  const revoking = useGroupAction(id, revoke, {
    failure,
    done: () => t('groups:code.inviteEnded'),
    onDone: () => setUrl(null),
  });
  const busy = creating.busy || revoking.busy;
  return (
    <section aria-label={t('groups:code.invite')} className="border-t border-line pt-5">
      <h3 className="text-14 font-semibold">{t('groups:code.invite')}</h3>
      <p className="mt-0.5 mb-3 text-13 text-muted">{t('groups:code.inviteText')}</p>
      {url !== null && (
        <div className="mb-3">
          <CopyField
            label={t('groups:code.inviteOnce')}
            value={url}
            copyLabel={t('roomCode:copyLink')}
            onCopy={() => void copy(url, t('groups:share.linkCopied'))}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="secondary" busy={creating.busy} onClick={() => busy || void creating.run()}>
          {t(group.hasInvite ? 'groups:code.inviteReplace' : 'groups:code.inviteMake')}
        </Button>
        {(group.hasInvite || url !== null) && (
          <Button
            kind="quiet"
            className="text-danger-text!"
            busy={revoking.busy}
            onClick={() => busy || void revoking.run()}
          >
            {t('groups:code.inviteEnd')}
          </Button>
        )}
      </div>
    </section>
  );
}
