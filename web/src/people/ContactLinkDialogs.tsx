import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { readContactToken } from './contactLink.ts';

const OwnLinkDialog = lazyDialog(async () => (await import('./OwnLinkDialog.tsx')).OwnLinkDialog);
const AddByLinkDialog = lazyDialog(async () => (await import('./AddByLinkDialog.tsx')).AddByLinkDialog);

/** Dialogs for the user's own link, and for an opened or scanned link. */
export function ContactLinkDialogs({ ownOpen, onOwnClose }: { ownOpen: boolean; onOwnClose: () => void }) {
  const navigate = useNavigate();
  const opened = readContactToken(useLocation().hash);
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
