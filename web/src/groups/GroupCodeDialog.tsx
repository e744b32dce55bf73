import type { Conversation } from '@nolo/api';
import { useState } from 'react';
import { exactTime, useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Select } from '../ui/Select.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { groupUrl } from './groupAddress.ts';
import { useGroupChanges } from './useGroupChanges.ts';
import { useGroupsWords } from './call/useGroupsWords.ts';
import { useShareGroup } from './useShareGroup.ts';

const dayMs = 86_400_000;
const validities = { forever: null, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;
type Validity = keyof typeof validities;

export interface GroupCodeDialogProps {
  id: string;
  group: NonNullable<Conversation['group']>;
  onClose: () => void;
}

/** The code and the links that lead in, for who may change and end them (decision 9). */
export function GroupCodeDialog({ id, group, onClose }: GroupCodeDialogProps) {
  const { t } = useGroupsWords();
  const locale = useLocale();
  const { rotateCode, expireCode } = useGroupChanges();
  const { copyLink, copyCode } = useShareGroup();
  const [asking, setAsking] = useState<'rotate' | 'expire' | null>(null);
  const [validity, setValidity] = useState<Validity>('forever');
  const [busy, setBusy] = useState(false);
  const { roomCode, codeExpiresAt } = group;

  const rotate = async () => {
    const length = validities[validity];
    setBusy(true);
    await rotateCode(id, length === null ? null : new Date(Date.now() + length).toISOString());
    setBusy(false);
    setAsking(null);
  };
  const expire = async () => {
    await expireCode(id);
    setAsking(null);
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('groups.code.title')}
      description={t('groups.code.text')}
      footer={<Button onClick={onClose}>{t('groups.share.done')}</Button>}
    >
      <div className="flex flex-col gap-6">
        {roomCode === null ? (
          <p role="status" className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">
            {t('groups.code.none')}
          </p>
        ) : (
          <div className="flex flex-col gap-4">
            <CopyField
              large
              label={t('groups.share.code')}
              value={roomCode}
              copyLabel={t('groups.share.copyCode')}
              onCopy={() => void copyCode(roomCode)}
            />
            <CopyField
              label={t('groups.share.link')}
              value={groupUrl(roomCode)}
              copyLabel={t('groups.share.copyLink')}
              onCopy={() => void copyLink(groupUrl(roomCode))}
            />
            <p className="-mt-2 text-13 text-muted">
              {codeExpiresAt === null
                ? t('groups.code.forever')
                : t('groups.code.until', { time: exactTime(Date.parse(codeExpiresAt), locale) })}
            </p>
          </div>
        )}
        <div className="flex flex-wrap items-end gap-2">
          <Select
            className="min-w-36 flex-1"
            label={t('groups.code.validity')}
            value={validity}
            onValueChange={setValidity}
            options={(Object.keys(validities) as Validity[]).map((value) => ({
              value,
              label: t(`groups.code.validities.${value}`),
            }))}
          />
          <Button
            kind="secondary"
            className="pointer-coarse:h-11"
            busy={busy}
            onClick={() => (roomCode === null ? void rotate() : setAsking('rotate'))}
          >
            {t('groups.code.rotate')}
          </Button>
          {roomCode !== null && (
            <Button kind="quiet" className="text-danger-text! pointer-coarse:h-11" onClick={() => setAsking('expire')}>
              {t('groups.code.expire')}
            </Button>
          )}
        </div>
        <InviteLink id={id} group={group} />
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        danger={false}
        onCancel={() => setAsking(null)}
        title={t('groups.code.rotateTitle')}
        text={t('groups.code.rotateText')}
        confirmLabel={t('groups.code.rotate')}
        onConfirm={rotate}
      />
      <ConfirmDialog
        open={asking === 'expire'}
        onCancel={() => setAsking(null)}
        title={t('groups.code.expireTitle')}
        text={t('groups.code.expireText')}
        confirmLabel={t('groups.code.expire')}
        onConfirm={expire}
      />
    </Dialog>
  );
}

/** The link that lets in directly. The server keeps only its hash, so it shows just once. */
function InviteLink({ id, group }: Omit<GroupCodeDialogProps, 'onClose'>) {
  const { t } = useGroupsWords();
  const { createInvite, revokeInvite } = useGroupChanges();
  const { copyLink } = useShareGroup();
  const [url, setUrl] = useState<string | null>(null);
  const [busy, setBusy] = useState<'create' | 'revoke' | null>(null);
  const create = async () => {
    if (busy) return;
    setBusy('create');
    const made = await createInvite(id);
    if (made) setUrl(made.result.inviteUrl);
    setBusy(null);
  };
  const revoke = async () => {
    if (busy) return;
    setBusy('revoke');
    if (await revokeInvite(id)) setUrl(null);
    setBusy(null);
  };
  return (
    <section aria-label={t('groups.code.invite')} className="border-t border-line pt-5">
      <h3 className="text-14 font-semibold">{t('groups.code.invite')}</h3>
      <p className="mt-0.5 mb-3 text-13 text-muted">{t('groups.code.inviteText')}</p>
      {url !== null && (
        <div className="mb-3">
          <CopyField
            label={t('groups.code.inviteOnce')}
            value={url}
            copyLabel={t('groups.share.copyLink')}
            onCopy={() => void copyLink(url)}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button kind="secondary" busy={busy === 'create'} onClick={() => void create()}>
          {t(group.hasInvite ? 'groups.code.inviteReplace' : 'groups.code.inviteMake')}
        </Button>
        {(group.hasInvite || url !== null) && (
          <Button kind="quiet" className="text-danger-text!" busy={busy === 'revoke'} onClick={() => void revoke()}>
            {t('groups.code.inviteEnd')}
          </Button>
        )}
      </div>
    </section>
  );
}
