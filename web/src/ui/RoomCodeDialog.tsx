import { useState, type ReactNode } from 'react';
import { serverNow } from '../api/serverClock.ts';
import { formatExactTime } from '../i18n/dates.ts';
import { useLocale } from '../i18n/locale.ts';
import { Button } from './Button.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { CopyField } from './CopyField.tsx';
import { Dialog } from './Dialog.tsx';
import { Select } from './Select.tsx';
import { useTexts } from '../i18n/texts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

const dayMs = 86_400_000;
const validities = { forever: null, day: dayMs, week: 7 * dayMs, month: 30 * dayMs } as const;
type Validity = keyof typeof validities;

interface RoomCodeTexts {
  title: string;
  text: string;
  none: string;
  rotateText: string;
  expireText: string;
}

export interface RoomCodeDialogProps {
  words: RoomCodeTexts;
  code: string | null;
  expiresAt: string | null;
  onCopy: (code: string) => void;
  /** @param expiresAt when the new code expires, null for never */
  onRotate: (expiresAt: string | null) => Promise<unknown>;
  onExpire: () => Promise<unknown>;
  onClose: () => void;
  /** Link that contains the code, if any, between the code and its validity. */
  link?: ReactNode;
  children?: ReactNode;
}

/** Shows a room code to people who may change it: its validity, a new code, or no code for newcomers (decision 9). */
export function RoomCodeDialog({
  words,
  code,
  expiresAt,
  onCopy,
  onRotate,
  onExpire,
  onClose,
  link,
  children,
}: RoomCodeDialogProps) {
  const { t } = useTexts(roomCodeTexts);
  const locale = useLocale();
  const [openDialog, setOpenDialog] = useState<'rotate' | 'expire' | null>(null);
  const [validity, setValidity] = useState<Validity>('forever');
  const [busy, setBusy] = useState(false);

  const change = async (task: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await task();
    } finally {
      setBusy(false);
      setOpenDialog(null);
    }
  };
  const rotate = () => {
    const length = validities[validity];
    return change(() => onRotate(length === null ? null : new Date(serverNow() + length).toISOString()));
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={words.title}
      description={words.text}
      footer={<Button onClick={onClose}>{t('roomCode:done')}</Button>}
    >
      <div className="flex flex-col gap-6">
        {code === null ? (
          <p role="status" className="rounded-card bg-sunken px-4 py-3 text-14 text-muted">
            {words.none}
          </p>
        ) : (
          <div className="flex flex-col gap-4">
            <CopyField
              large
              label={t('roomCode:code')}
              value={code}
              copyLabel={t('roomCode:copyCode')}
              onCopy={() => onCopy(code)}
            />
            {link}
            <p className="-mt-2 text-13 text-muted">
              {expiresAt === null
                ? t('roomCode:forever')
                : t('roomCode:until', { time: formatExactTime(Date.parse(expiresAt), locale) })}
            </p>
          </div>
        )}
        <div className="flex flex-wrap items-end gap-2">
          <Select
            className="min-w-36 flex-1"
            label={t('roomCode:validity')}
            value={validity}
            onValueChange={setValidity}
            options={(Object.keys(validities) as Validity[]).map((value) => ({
              value,
              label: t(`roomCode:validities.${value}`),
            }))}
          />
          <Button
            kind="secondary"
            className="pointer-coarse:h-11"
            busy={busy}
            onClick={() => (code === null ? void rotate() : setOpenDialog('rotate'))}
          >
            {t('roomCode:rotate')}
          </Button>
          {code !== null && (
            <Button
              kind="quiet"
              className="text-danger-text! pointer-coarse:h-11"
              onClick={() => setOpenDialog('expire')}
            >
              {t('roomCode:expire')}
            </Button>
          )}
        </div>
        {children}
      </div>
      <ConfirmDialog
        open={openDialog === 'rotate'}
        danger={false}
        onCancel={() => setOpenDialog(null)}
        title={t('roomCode:rotateTitle')}
        text={words.rotateText}
        confirmLabel={t('roomCode:rotate')}
        onConfirm={rotate}
      />
      <ConfirmDialog
        open={openDialog === 'expire'}
        onCancel={() => setOpenDialog(null)}
        title={t('roomCode:expireTitle')}
        text={words.expireText}
        confirmLabel={t('roomCode:expire')}
        onConfirm={() => change(onExpire)}
      />
    </Dialog>
  );
}
