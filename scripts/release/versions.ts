/**
 * Places of a tracked file that name the version of Nolo, each with the version in its second group; none if there are
 * none.
 */
function versionPattern(path: string): RegExp | undefined {
  if (path === 'package-lock.json') return /("name": "(?:@nolo\/[\w-]+|nolo)",\s+"version": ")([^"]+)(")/g;
  if (path === 'package.json' || path.endsWith('/package.json')) return /(^ {2}"version": ")([^"]+)(",$)/gm;
  if (path === 'deploy/helm/nolo/Chart.yaml') return /(^(?:version|appVersion): )(\S+)($)/gm;
  if (path === 'deploy/helm/nolo/ci/gatewayApi.yaml') return /(^ {2}tag: )(\S+)($)/gm;
  if (path === 'deploy/compose.yaml') return /(\$\{NOLO_VERSION:-)([^}]+)(\})/g;
  if (path === 'deploy/docker/Dockerfile') return /(--tag nolo\/chat:)(\S+)( )/g;
  return undefined;
}

/** Returns `text` with every place that names the version of Nolo set to `version`. */
export function replaceVersion(path: string, text: string, version: string): string {
  const pattern = versionPattern(path);
  return pattern
    ? text.replace(pattern, (_, before: string, _old, after: string) => `${before}${version}${after}`)
    : text;
}

/** Returns every version that the places of `text` name, one entry a place. */
export function versionsIn(path: string, text: string): string[] {
  const pattern = versionPattern(path);
  return pattern ? [...text.matchAll(pattern)].map((match) => match[2] ?? '') : [];
}
