import type { SecurityNotice } from '@nolo/api';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useUndoNotice } from './useUndoNotice.ts';

export interface UndoDialogProps {
  notice: SecurityNotice | null;
  onClose: () => void;
}

/** Says what "This wasn't me" does before it does it. */
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
        // What has to be proven first leaves the question open.
        if (notice !== null && (await undo(notice))) onClose();
      }}
    />
  );
}
