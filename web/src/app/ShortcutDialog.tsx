import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { enShortcuts } from './enShortcuts.ts';
import { addWords } from '../i18n/i18n.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Key } from '../ui/Key.tsx';
import { useNavEntries } from './sections.tsx';

function Row({ keys, children }: { keys: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4">
      <dt className="text-14">{children}</dt>
      <dd className="flex shrink-0 items-center gap-1.5 text-12 text-muted">{keys}</dd>
    </div>
  );
}

/** Name of the command key, which differs on Macs. */
const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** Lists the app's shortcuts. */
export function ShortcutDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'shortcuts', enShortcuts);
  const entries = useNavEntries();
  return (
    <Dialog open onOpenChange={onClose} title={t('shortcuts.title')} textOnly>
      <h3 className="mb-1 text-12 font-semibold text-muted">{t('shortcuts.general')}</h3>
      <dl>
        <Row keys={<Key>?</Key>}>{t('shortcuts.showSheet')}</Row>
        <Row
          keys={
            <>
              <Key>{commandKey}</Key> <Key>K</Key>
            </>
          }
        >
          {t('shortcuts.palette')}
        </Row>
        <Row keys={<Key>/</Key>}>{t('shortcuts.search')}</Row>
        <Row
          keys={
            <>
              <Key>Alt</Key> <Key>↑</Key> <Key>↓</Key>
            </>
          }
        >
          {t('shortcuts.neighbours')}
        </Row>
        <Row
          keys={
            <>
              <Key>Alt</Key> <Key>Shift</Key> <Key>↑</Key> <Key>↓</Key>
            </>
          }
        >
          {t('shortcuts.unreadNeighbours')}
        </Row>
        {entries.map((entry, index) => (
          <Row
            key={entry.section}
            keys={
              <>
                <Key>g</Key> {t('shortcuts.then')} <Key>{index + 1}</Key>
              </>
            }
          >
            {t('shortcuts.goTo', { place: t(`nav.${entry.section}`) })}
          </Row>
        ))}
        <Row keys={<Key>F8</Key>}>{t('shortcuts.notifications')}</Row>
        <Row keys={<Key>Esc</Key>}>{t('shortcuts.closeTopmost')}</Row>
      </dl>
      <h3 className="mt-4 mb-1 text-12 font-semibold text-muted">{t('shortcuts.conversation')}</h3>
      <dl>
        <Row keys={<Key>Enter</Key>}>{t('shortcuts.send')}</Row>
        <Row
          keys={
            <>
              <Key>Shift</Key> <Key>Enter</Key>
            </>
          }
        >
          {t('shortcuts.newLine')}
        </Row>
        <Row keys={<Key>↑</Key>}>{t('shortcuts.editLast')}</Row>
        <Row
          keys={
            <>
              <Key>{commandKey}</Key> <Key>F</Key>
            </>
          }
        >
          {t('shortcuts.findMessages')}
        </Row>
        <Row keys={<Key>R</Key>}>{t('shortcuts.replyTo')}</Row>
        <Row keys={<Key>{t('shortcuts.space')}</Key>}>{t('shortcuts.selectMessage')}</Row>
        <Row keys={<Key>Enter</Key>}>{t('shortcuts.openMenu')}</Row>
      </dl>
    </Dialog>
  );
}
