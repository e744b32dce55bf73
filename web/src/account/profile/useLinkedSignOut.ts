import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { signOutStore } from '../../session/useSignOut.ts';
import { withoutParameter } from '../signIn/signInErrors.ts';

/** A link from elsewhere leads to /api/logout: only the person may say that it is what they want. */
export function useLinkedSignOut(): void {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('sign_out')) return;
    signOutStore.setState({ askedBy: 'link' });
    void navigate(withoutParameter(location, 'sign_out'), { replace: true });
  }, [location, navigate]);
}
