import type { SecurityNotice } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useUndoNotice } from './useUndoNotice.ts';

export interface UndoDialogProps {
  notice: SecurityNotice | null;
  onClose: () => void;
}

/** Explains what "This wasn't me" does before doing it. */
export function UndoDialog({ notice, onClose }: UndoDialogProps) {
  const { t } = useTranslation();
  const undo = useUndoNotice();
  return (
    <ConfirmDialog
      open={notice !== null}
      onCancel={onClose}
      title={t('security.undoTitle')}
      text={t('security.undoText')}
      confirmLabel={t('security.undo')}
      onConfirm={async () => {
        // If a proof is needed first, the dialog stays open.
        if (notice !== null && (await undo(notice))) onClose();
      }}
    />
  );
}
