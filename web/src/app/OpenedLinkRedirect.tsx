import { Navigate, useSearchParams } from 'react-router-dom';
import { toAppPath } from '../shell/knownPaths.ts';

/** Opens the target of a `web+nolo:chat/...` link, which the system opened with the installed app. */
export function OpenedLinkRedirect() {
  const [parameters] = useSearchParams();
  return <Navigate to={toAppPath(parameters.get('link') ?? '')} replace />;
}
