/** The mail to support. */
export const demoRequestMail = ({
  name,
  email,
  message,
  url,
}: {
  name: string;
  email: string;
  message: string;
  url: string;
}) => ({
  subject: 'Cuebird: somebody asks for a demo',
  text: [
    `${name} <${email}> asks for a demo.`,
    message.trim() === '' ? 'They wrote no message.' : message,
    `Answer them at ${email}; this mail comes from Cuebird. All requests: ${url}/admin?tab=demo-requests`,
  ].join('\n\n'),
});
