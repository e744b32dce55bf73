import { Copy, Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '../../device/saveFile.ts';
import { useCopy } from '../../shell/useCopy.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { factorTexts } from './factorTexts.ts';

/** Shows recovery codes, once; closes when the user confirms that they are stored. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTexts(factorTexts);
  const copy = useCopy();
  const [kept, setKept] = useState(false);
  const text = `${t('factor:fileTitle')}\n${t('factor:fileText')}\n\n${codes.join('\n')}\n`;
  return (
    <Dialog
      open
      role="alert"
      onOpenChange={(open) => open || (kept && onClose())}
      title={t('factor:codesTitle')}
      description={t('factor:codesText')}
      footer={
        <Button disabled={!kept} onClick={onClose}>
          {t('factor:done')}
        </Button>
      }
    >
      <div data-printed>
        <p className="hidden print:block">{t('factor:fileTitle')}</p>
        <ul dir="ltr" className="grid grid-cols-2 gap-x-4 gap-y-2 rounded-card bg-sunken p-4 text-center">
          {codes.map((code) => (
            <li key={code} className="tabular text-14 font-semibold tracking-wide whitespace-nowrap select-all">
              {code}
            </li>
          ))}
        </ul>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          kind="secondary"
          size="small"
          icon={<Copy />}
          onClick={() => void copy(codes.join('\n'), t('factor:codesCopied'))}
        >
          {t('factor:copy')}
        </Button>
        <Button
          kind="secondary"
          size="small"
          icon={<Download />}
          onClick={() => saveFile(new Blob([text], { type: 'text/plain' }), 'nolo-recovery-codes.txt')}
        >
          {t('factor:download')}
        </Button>
        <Button kind="secondary" size="small" icon={<Printer />} onClick={() => window.print()}>
          {t('factor:print')}
        </Button>
      </div>
      <label className="mt-4 flex min-h-11 cursor-pointer items-center gap-3 text-14">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={kept}
          onChange={(event) => setKept(event.target.checked)}
        />
        {t('factor:kept')}
      </label>
    </Dialog>
  );
}
