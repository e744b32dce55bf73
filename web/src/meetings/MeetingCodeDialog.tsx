import type { Meeting } from '@nolo/api';
import { useState } from 'react';
import { exactTime, useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Select } from '../ui/Select.tsx';
import { CopyField } from '../ui/CopyField.tsx';
import { useCodeEnded } from './useCodeEnded.ts';
import { useMeetingChanges } from './useMeetingChanges.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';
import { useShareMeeting } from './useShareMeeting.ts';

const dayMs = 86_400_000;
const validities = { forever: null, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;
type Validity = keyof typeof validities;

/** The room code, for hosts: how long it is good, another one, or none for newcomers (decision 9). */
export function MeetingCodeDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const locale = useLocale();
  const { rotate, expireCode } = useMeetingChanges();
  const { copyCode } = useShareMeeting();
  const [current, setCurrent] = useState(meeting);
  const [asking, setAsking] = useState<'rotate' | 'expire' | null>(null);
  const [validity, setValidity] = useState<Validity>('forever');
  const [busy, setBusy] = useState(false);
  const { roomCode, codeExpiresAt } = current;
  const ended = useCodeEnded(codeExpiresAt);

  const change = async (task: () => Promise<{ result: Meeting } | undefined>) => {
    setBusy(true);
    const changed = await task();
    if (changed) setCurrent(changed.result);
    setBusy(false);
    setAsking(null);
  };
  const renew = () => {
    const length = validities[validity];
    return change(() => rotate(current, length === null ? undefined : new Date(Date.now() + length).toISOString()));
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('meetings.code.title')}
      description={t('meetings.code.text')}
      footer={<Button onClick={onClose}>{t('meetings.share.done')}</Button>}
    >
      <div className="flex flex-col gap-6">
        {ended ? (
          <p role="status" className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">
            {t('meetings.code.none')}
          </p>
        ) : (
          <div className="flex flex-col gap-2">
            <CopyField
              large
              label={t('meetings.share.code')}
              value={roomCode}
              copyLabel={t('meetings.share.copyCode')}
              onCopy={() => void copyCode(roomCode)}
            />
            <p className="text-13 text-muted">
              {codeExpiresAt === null
                ? t('meetings.code.forever')
                : t('meetings.code.until', { time: exactTime(Date.parse(codeExpiresAt), locale) })}
            </p>
          </div>
        )}
        <div className="flex flex-wrap items-end gap-2">
          <Select
            className="min-w-36 flex-1"
            label={t('meetings.code.validity')}
            value={validity}
            onValueChange={setValidity}
            options={(Object.keys(validities) as Validity[]).map((value) => ({
              value,
              label: t(`meetings.code.validities.${value}`),
            }))}
          />
          <Button
            kind="secondary"
            className="pointer-coarse:h-11"
            busy={busy}
            onClick={() => (ended ? void renew() : setAsking('rotate'))}
          >
            {t('meetings.code.rotate')}
          </Button>
          {!ended && (
            <Button kind="quiet" className="text-danger-text! pointer-coarse:h-11" onClick={() => setAsking('expire')}>
              {t('meetings.code.expire')}
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        danger={false}
        onCancel={() => setAsking(null)}
        title={t('meetings.code.rotateTitle')}
        text={t('meetings.code.rotateText')}
        confirmLabel={t('meetings.code.rotate')}
        onConfirm={renew}
      />
      <ConfirmDialog
        open={asking === 'expire'}
        onCancel={() => setAsking(null)}
        title={t('meetings.code.expireTitle')}
        text={t('meetings.code.expireText')}
        confirmLabel={t('meetings.code.expire')}
        onConfirm={() => change(() => expireCode(current))}
      />
    </Dialog>
  );
}
