import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { enShortcuts } from './enShortcuts.ts';
import { addWords } from '../i18n/i18n.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useNavEntries } from './sections.tsx';

function Keys({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-[6px] border border-line bg-sunken px-1.5 font-sans text-12 font-medium text-ink">
      {children}
    </kbd>
  );
}

function Row({ keys, children }: { keys: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-9 items-center justify-between gap-4">
      <dt className="text-14">{children}</dt>
      <dd className="flex shrink-0 items-center gap-1.5 text-12 text-muted">{keys}</dd>
    </div>
  );
}

/** The app's shortcuts, listed. */
export function ShortcutDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation();
  addWords(i18n, 'shortcuts', enShortcuts);
  const entries = useNavEntries();
  return (
    <Dialog open onOpenChange={onClose} title={t('shortcuts.title')}>
      <h3 className="mb-1 text-12 font-semibold text-muted">{t('shortcuts.general')}</h3>
      <dl>
        <Row keys={<Keys>?</Keys>}>{t('shortcuts.showSheet')}</Row>
        <Row keys={<Keys>/</Keys>}>{t('shortcuts.search')}</Row>
        {entries.map((entry, index) => (
          <Row
            key={entry.section}
            keys={
              <>
                <Keys>g</Keys> {t('shortcuts.then')} <Keys>{index + 1}</Keys>
              </>
            }
          >
            {t('shortcuts.goTo', { place: t(`nav.${entry.section}`) })}
          </Row>
        ))}
        <Row keys={<Keys>F8</Keys>}>{t('shortcuts.notifications')}</Row>
        <Row keys={<Keys>Esc</Keys>}>{t('shortcuts.closeTopmost')}</Row>
      </dl>
      <h3 className="mt-4 mb-1 text-12 font-semibold text-muted">{t('shortcuts.conversation')}</h3>
      <dl>
        <Row keys={<Keys>Enter</Keys>}>{t('shortcuts.send')}</Row>
        <Row
          keys={
            <>
              <Keys>Shift</Keys> <Keys>Enter</Keys>
            </>
          }
        >
          {t('shortcuts.newLine')}
        </Row>
        <Row
          keys={
            <>
              <Keys>Ctrl</Keys> <Keys>F</Keys>
            </>
          }
        >
          {t('shortcuts.findMessages')}
        </Row>
        <Row keys={<Keys>R</Keys>}>{t('shortcuts.replyTo')}</Row>
        <Row keys={<Keys>{t('shortcuts.space')}</Keys>}>{t('shortcuts.selectMessage')}</Row>
        <Row keys={<Keys>Enter</Keys>}>{t('shortcuts.openMenu')}</Row>
      </dl>
    </Dialog>
  );
}
