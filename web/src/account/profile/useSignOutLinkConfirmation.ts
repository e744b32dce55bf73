import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { signOutRequestStore } from '../../session/useRequestSignOut.ts';
import { withoutParameter } from '../signIn/signInErrors.ts';

/** Handles external links to /api/logout: signing out needs the user's confirmation. */
export function useSignOutLinkConfirmation(): void {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('sign_out')) return;
    signOutRequestStore.setState({ requestedBy: 'link' });
    void navigate(withoutParameter(location, 'sign_out'), { replace: true });
  }, [location, navigate]);
}
