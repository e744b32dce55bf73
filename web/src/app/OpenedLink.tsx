import { Navigate, useSearchParams } from 'react-router-dom';
import { pathOfLink } from '../shell/knownPaths.ts';

/** Where a link of the form `web+nolo:chat/...` leads, which the system opened with the installed app. */
export function OpenedLink() {
  const [parameters] = useSearchParams();
  return <Navigate to={pathOfLink(parameters.get('link') ?? '')} replace />;
}
