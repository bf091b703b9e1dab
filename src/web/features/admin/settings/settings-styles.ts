import '@mantine/core/styles/Alert.layer.css';
// Styles of components that only this tab uses; they load with the screen, not with the shell.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
