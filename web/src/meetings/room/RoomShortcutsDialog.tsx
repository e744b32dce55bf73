import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/Dialog.tsx';

const keys = [
  ['M', 'microphone'],
  ['V', 'camera'],
  ['H', 'hand'],
  ['C', 'chat'],
  ['P', 'people'],
  ['F', 'fullScreen'],
  ['L', 'leave'],
  ['?', 'sheet'],
  ['Esc', 'close'],
] as const;

/** Lists the room's keyboard shortcuts. */
export function RoomShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('meeting.keys.title')} size="small">
      <dl>
        {keys.map(([key, name]) => (
          <div key={key} className="flex min-h-9 items-center justify-between gap-4">
            <dt className="text-14">{t(`meeting.keys.${name}`)}</dt>
            <dd>
              <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-[6px] border border-line bg-sunken px-1.5 font-sans text-12 font-medium text-ink">
                {key}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
