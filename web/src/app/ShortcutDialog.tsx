import type { ReactNode } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { KeyboardKey } from '../ui/KeyboardKey.tsx';
import { useNavEntries } from './sections.tsx';
import { useTexts } from '../i18n/texts.ts';
import { shortcutsTexts } from './shortcutsTexts.ts';

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

export function ShortcutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(shortcutsTexts);
  const entries = useNavEntries();
  return (
    <Dialog open onOpenChange={onClose} title={t('shortcuts:title')} textOnly>
      <h3 className="mb-1 text-12 font-semibold text-muted">{t('shortcuts:general')}</h3>
      <dl>
        <Row keys={<KeyboardKey>?</KeyboardKey>}>{t('shortcuts:showSheet')}</Row>
        <Row
          keys={
            <>
              <KeyboardKey>{commandKey}</KeyboardKey> <KeyboardKey>K</KeyboardKey>
            </>
          }
        >
          {t('shortcuts:palette')}
        </Row>
        <Row keys={<KeyboardKey>/</KeyboardKey>}>{t('shortcuts:search')}</Row>
        <Row
          keys={
            <>
              <KeyboardKey>Alt</KeyboardKey> <KeyboardKey>↑</KeyboardKey> <KeyboardKey>↓</KeyboardKey>
            </>
          }
        >
          {t('shortcuts:neighbours')}
        </Row>
        <Row
          keys={
            <>
              <KeyboardKey>Alt</KeyboardKey> <KeyboardKey>Shift</KeyboardKey> <KeyboardKey>↑</KeyboardKey>{' '}
              <KeyboardKey>↓</KeyboardKey>
            </>
          }
        >
          {t('shortcuts:unreadNeighbours')}
        </Row>
        {entries.map((entry, index) => (
          <Row
            key={entry.section}
            keys={
              <>
                <KeyboardKey>g</KeyboardKey> {t('shortcuts:then')} <KeyboardKey>{index + 1}</KeyboardKey>
              </>
            }
          >
            {t('shortcuts:goTo', { place: t(`nav.${entry.section}`) })}
          </Row>
        ))}
        <Row keys={<KeyboardKey>F8</KeyboardKey>}>{t('shortcuts:notifications')}</Row>
        <Row keys={<KeyboardKey>Esc</KeyboardKey>}>{t('shortcuts:closeTopmost')}</Row>
      </dl>
      <h3 className="mt-4 mb-1 text-12 font-semibold text-muted">{t('shortcuts:conversation')}</h3>
      <dl>
        <Row keys={<KeyboardKey>Enter</KeyboardKey>}>{t('shortcuts:send')}</Row>
        <Row
          keys={
            <>
              <KeyboardKey>Shift</KeyboardKey> <KeyboardKey>Enter</KeyboardKey>
            </>
          }
        >
          {t('shortcuts:newLine')}
        </Row>
        <Row keys={<KeyboardKey>↑</KeyboardKey>}>{t('shortcuts:editLast')}</Row>
        <Row
          keys={
            <>
              <KeyboardKey>{commandKey}</KeyboardKey> <KeyboardKey>F</KeyboardKey>
            </>
          }
        >
          {t('shortcuts:findMessages')}
        </Row>
        <Row keys={<KeyboardKey>R</KeyboardKey>}>{t('shortcuts:replyTo')}</Row>
        <Row keys={<KeyboardKey>{t('shortcuts:space')}</KeyboardKey>}>{t('shortcuts:selectMessage')}</Row>
        <Row keys={<KeyboardKey>Enter</KeyboardKey>}>{t('shortcuts:openMenu')}</Row>
      </dl>
    </Dialog>
  );
}
