/** The page behind the demo link. Only its button begins a session: a link alone could be followed by another site's page, or by a program that looks at it. */
export const enterPage = (token: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Enter the demo · Cuebird</title>
<link rel="icon" href="/favicon.svg">
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.6 "Inter Variable", system-ui, sans-serif; background: light-dark(#f6f8f8, #0c1314); color: light-dark(#14201f, #e6eeed); }
main { max-width: 30rem; padding: 2rem 1.5rem; text-align: center; }
img { width: 3rem; height: 3rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 1rem 0 .5rem; }
p { margin: 0 0 1.5rem; color: light-dark(#4b5a59, #a3b1b0); }
button { font: inherit; font-weight: 560; min-height: 44px; padding: 0 1.25rem; border: 0; border-radius: 8px; background: #0b6e6e; color: #fff; cursor: pointer; }
button:focus-visible { outline: 2px solid light-dark(#0b6e6e, #40c4bb); outline-offset: 2px; }
</style>
</head>
<body>
<main>
<img src="/favicon.svg" alt="">
<h1>Look around in the demo</h1>
<p>A workspace with made-up data, which everybody with this link shares. Whoever is signed in here is signed out.</p>
<form method="post" action="/api/demo/enter?token=${token}"><button>Enter the demo</button></form>
</main>
</body>
</html>
`;
