import type { Checkout } from '../checkout.ts';
import { replaceMatches, replaceRun } from './regions.ts';

/** Returns the services whose absence is an alert. Meetings raises its own alert if there are no media nodes. */
function missedServicesOf({ services }: Checkout): string[] {
  return services.filter(({ name, optional }) => !optional && name !== 'media-sfu').map(({ name }) => name);
}

/** Renders the alerts: the expression for missing services, and each list of all services. */
export function renderAlerts(checkout: Checkout): string {
  const names = checkout.services.map(({ name }) => name).join('|');
  const absent = missedServicesOf(checkout).map((name) => `absent(nolo_build_info{service="${name}"})`);
  const lines = absent.flatMap((_, index) => (index % 2 === 0 ? [absent.slice(index, index + 2).join(' or ')] : []));
  const text = replaceMatches(checkout.read('deploy/grafana/alerts.yaml'), /\bgateway(?:\|[a-z-]+)+/g, names);
  return replaceMatches(text, /absent\(nolo_build_info\{[^]*?(?=\n +for:)/, lines.join('\n          or '));
}

/** Renders the tests of the alerts, in one of which only chat is missing. */
export function renderAlertTests(checkout: Checkout): string {
  const present = missedServicesOf(checkout).filter((name) => name !== 'chat');
  const series = present.map(
    (name) => `      - { series: 'nolo_build_info{service="${name}", version="1"}', values: '1x10' }`,
  );
  return replaceRun(checkout.read('deploy/grafana/alerts.test.yaml'), /series: 'nolo_build_info\{/, series);
}
