import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { signOutStore } from '../../session/useSignOut.ts';
import { withoutParameter } from '../signIn/signInErrors.ts';

/** Handles external links to /api/logout: signing out needs the user's confirmation. */
export function useLinkedSignOut(): void {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('sign_out')) return;
    signOutStore.setState({ requestedBy: 'link' });
    void navigate(withoutParameter(location, 'sign_out'), { replace: true });
  }, [location, navigate]);
}
