import { useCopy } from '../../../shell/useCopy.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { barredLinkTexts } from './barredLinkTexts.ts';

/** Explains why a link is blocked. The user may then copy it. */
export function BarredLinkDialog({ href, onClose }: { href: string; onClose: () => void }) {
  const { t } = useTexts(barredLinkTexts);
  const copy = useCopy();
  return (
    <ConfirmDialog
      open
      onCancel={onClose}
      title={t('barredLink:title')}
      text={
        <>
          {t('barredLink:text', { host: `\u2066${new URL(href).host}\u2069` })}
          <code
            dir="ltr"
            className="mt-3 block rounded-control bg-sunken px-3 py-2 text-left font-mono text-13 break-all"
          >
            {href}
          </code>
        </>
      }
      confirmLabel={t('barredLink:copy')}
      cancelLabel={t('barredLink:close')}
      onConfirm={() => copy(href, t('barredLink:copied')).then(onClose)}
    />
  );
}
