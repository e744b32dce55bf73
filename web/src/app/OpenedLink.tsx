import { Navigate, useSearchParams } from 'react-router-dom';
import { pathOfLink } from '../shell/knownPaths.ts';

/** Opens the target of a `web+nolo:chat/...` link, which the system opened with the installed app. */
export function OpenedLink() {
  const [parameters] = useSearchParams();
  return <Navigate to={pathOfLink(parameters.get('link') ?? '')} replace />;
}
