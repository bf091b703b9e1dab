import '@mantine/core/styles/Alert.layer.css';
// Styles of components that only this tab uses; they load with it.
import '@mantine/core/styles/Switch.layer.css';
import '#web/ui/switch.css';
