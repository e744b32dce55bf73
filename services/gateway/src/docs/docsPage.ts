import type { Express, RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { createDocsPolicy, createSecurityHeaders } from '../http/securityHeaders.ts';

/** Serves the readable API document at `/api/docs`, using only files of the package. */
export function serveDocs(app: Express, secure: boolean): void {
  const options = {
    customSiteTitle: 'Nolo API',
    swaggerOptions: {
      url: '/api/openapi.json',
      // The badge would send the document's URL to an external validator.
      validatorUrl: null,
      persistAuthorization: false,
      tryItOutEnabled: false,
    },
  };
  const page = swaggerUi.setup(undefined, options);
  // Files are resolved relative to the URL, which therefore ends with a slash.
  const withSlash: RequestHandler = (request, response, next) => {
    response.locals['route'] = '/api/docs';
    if (request.originalUrl.split('?')[0] === '/api/docs') response.redirect(308, '/api/docs/');
    else next();
  };
  app.use('/api/docs', createSecurityHeaders({ policy: createDocsPolicy(), secure }), withSlash, swaggerUi.serve, page);
}
