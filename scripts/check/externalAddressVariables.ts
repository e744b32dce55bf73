/** Use of an address variable by a service. */
interface Use {
  /** Variable without which the service does not connect to the address. */
  with?: string;
  /** Address used while the variable is unset. Absent: no connection. */
  unset?: string;
}

/**
 * Every variable that names an address, except those of other services and stores, with the way a service connects to
 * it or the reason why none does. A test fails for variables missing here because a new outgoing connection needs a
 * rule in the chart's NetworkPolicies.
 */
export const externalAddressVariables: Readonly<Record<string, Use | string>> = {
  BLUESKY_URL: {},
  FACEBOOK_URL: { with: 'FACEBOOK_CLIENT_ID', unset: 'https://graph.facebook.com' },
  INSTAGRAM_URL: { with: 'INSTAGRAM_CLIENT_ID', unset: 'https://graph.instagram.com' },
  LINKEDIN_URL: { with: 'LINKEDIN_CLIENT_ID', unset: 'https://api.linkedin.com' },
  MASTODON_SERVERS: {},
  OIDC_ISSUER: {},
  OTEL_EXPORTER_OTLP_ENDPOINT: {},
  OUTBOX_URL: {},
  PAYFAST_API_URL: { with: 'PAYFAST_MERCHANT_ID' },
  PAYFAST_URL: { with: 'PAYFAST_MERCHANT_ID', unset: 'https://www.payfast.co.za' },
  PAYPAL_URL: { with: 'PAYPAL_CLIENT_ID' },
  S3_ENDPOINT: { with: 'S3_BUCKET', unset: 'https://s3.amazonaws.com' },
  S3_STS_ENDPOINT: { with: 'S3_STS_ROLE_ARN', unset: 'https://sts.amazonaws.com' },
  SMTP_URL: {},
  THREADS_URL: { with: 'THREADS_CLIENT_ID', unset: 'https://graph.threads.net' },
  TRANSCRIBE_URL: {},
  TWILIO_API_URL: { with: 'TWILIO_ACCOUNT_SID', unset: 'https://api.twilio.com' },
  X_URL: { with: 'X_CLIENT_ID', unset: 'https://api.x.com' },

  ICE_URLS: 'browsers connect there',
  MEDIA_LISTEN_IP: 'listens there',
  METRICS_LISTEN: 'listens there',
  OUTBOX_PAGE_URL: 'browsers open it',
  PASSKEY_RP_ID: 'a name that browsers compare',
  PAYFAST_SOURCES: 'names to resolve, and addresses that connect from there',
  PAYMENT_FORM_ORIGINS: 'browsers submit forms there',
  PAYPAL_CERT_HOSTS: 'PayPal hosts, reached like PAYPAL_URL',
  PUBLIC_URL: 'browsers and platforms connect there',
  PUSH_CONTACT: 'push services send messages there',
  PUSH_NETWORKS: 'networks in addition to the public internet',
  RPC_ADDRESS: 'media nodes and meetings connect there',
  RPC_LISTEN: 'listens there',
  S3_PUBLIC_ENDPOINT: 'browsers connect there',
  UPLOAD_ORIGIN: 'browsers connect there',
  WEBHOOK_NETWORKS: 'networks in addition to the public internet',
};
