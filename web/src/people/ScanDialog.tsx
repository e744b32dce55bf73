import { useState } from 'react';
import { CodeScanner } from '../ui/CodeScanner.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { readContactTokenFromCode } from './contactLink.ts';
import { useTexts } from '../i18n/texts.ts';
import { contactsTexts } from './contactsTexts.ts';

/** Scans the code of a person's link with the camera. */
export function ScanDialog({ onFound, onClose }: { onFound: (token: string) => void; onClose: () => void }) {
  const { t } = useTexts(contactsTexts);
  const [isOther, setOther] = useState(false);
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      title={t('contacts:scanTitle')}
      description={t('contacts:scanText')}
    >
      <CodeScanner
        starting={t('contacts:scanStarting')}
        failed={t('contacts:scanFailed')}
        onCode={(code) => {
          const token = readContactTokenFromCode(code, location.origin);
          setOther(token === null);
          if (token !== null) onFound(token);
          return token !== null;
        }}
      />
      <p role="status" className="mt-3 min-h-5 text-center text-13 text-muted">
        {isOther ? t('contacts:scanOther') : ''}
      </p>
    </Dialog>
  );
}
