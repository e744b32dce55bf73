import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { late } from '../ui/late.tsx';
import { tokenIn } from './contactLink.ts';

const OwnLinkDialog = late(async () => (await import('./OwnLinkDialog.tsx')).OwnLinkDialog);
const AddByLinkDialog = late(async () => (await import('./AddByLinkDialog.tsx')).AddByLinkDialog);

/** Dialogs for the user's own link, and for an opened or scanned link. */
export function LinkDialogs({ ownOpen, onOwnClose }: { ownOpen: boolean; onOwnClose: () => void }) {
  const navigate = useNavigate();
  const opened = tokenIn(useLocation().hash);
  const [scanned, setScanned] = useState<string | null>(null);
  const token = scanned ?? opened;
  return (
    <>
      {ownOpen && (
        <OwnLinkDialog
          onClose={onOwnClose}
          onFound={(found) => {
            onOwnClose();
            setScanned(found);
          }}
        />
      )}
      {token !== null && (
        <AddByLinkDialog
          token={token}
          onClose={() => {
            setScanned(null);
            if (opened !== null) void navigate('/contacts', { replace: true });
          }}
        />
      )}
    </>
  );
}
