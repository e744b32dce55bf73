import { useTexts } from '../../i18n/texts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { sealedTexts } from './sealedTexts.ts';

/** Limits of the encryption, in the order of their weight for people (docs/encryption.md, section 1). */
const limits = [
  'notYet',
  'before',
  'handedOver',
  'metadata',
  'firstKeys',
  'device',
  'web',
  'members',
  'withheld',
  'ownProtocol',
] as const;

/** Says in plain words what end-to-end encryption covers, and what it does not. */
export function EncryptionLimitsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(sealedTexts);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={t('sealed:limits.title')}>
      <p className="text-14">{t('sealed:limits.covered')}</p>
      <ul className="mt-3 flex list-disc flex-col gap-2 ps-5 text-14 text-muted">
        {limits.map((limit) => (
          <li key={limit}>{t(`sealed:limits.${limit}`)}</li>
        ))}
      </ul>
    </Dialog>
  );
}
