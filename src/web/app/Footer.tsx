import classes from './Footer.module.css';

const year = new Date().getFullYear();

export function Footer() {
  return (
    <footer className={classes.footer} data-chrome>
      <p>© {year} Cuebird. All rights reserved.</p>
    </footer>
  );
}
