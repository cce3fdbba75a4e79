import java.awt.BorderLayout;
import java.awt.Component;
import java.awt.FlowLayout;
import java.awt.GridLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.swing.*;
import javax.swing.event.DocumentEvent;
import javax.swing.event.DocumentListener;
import javax.swing.event.TreeExpansionEvent;
import javax.swing.event.TreeExpansionListener;
import javax.swing.table.DefaultTableModel;
import javax.swing.text.JTextComponent;
import javax.swing.tree.DefaultMutableTreeNode;

/**
 * One window with the usual Swing components, that tells what was done to it: {@code ZooSwing STATE [TITLE]}.
 *
 * <p>State file and commands are those of zoo_gtk3.py as far as they are here: page, ask, rename, disable, freeze, quit.
 */
public final class ZooSwing {
    private static final int ROWS = 200;
    private static final int COLUMNS = 5;

    private final Path path;
    private final Map<String, Object> state = new TreeMap<>();
    private final Map<String, Object> pressed = new TreeMap<>();
    private final Map<String, AbstractButton> named = new TreeMap<>();
    private final JFrame frame;
    private final JTabbedPane pages = new JTabbedPane();
    private int commands;

    private ZooSwing(Path path, String title) {
        this.path = path;
        frame = new JFrame(title);
        frame.setDefaultCloseOperation(JFrame.EXIT_ON_CLOSE);
        frame.setJMenuBar(menus());
        frame.add(toolbar(), BorderLayout.NORTH);
        pages.addTab("Buttons", buttons());
        pages.addTab("Fields", fields());
        pages.addTab("Lists", lists());
        pages.addTab("Table", table());
        pages.addTab("Ground", ground());
        pages.addChangeListener(event -> put("tab", pages.getSelectedIndex()));
        frame.add(pages);
        frame.setSize(720, 640);
        frame.setVisible(true);
    }

    // -- the journal ------------------------------------------------------------------------------------------
    private void put(String key, Object value) {
        state.put(key, value);
        write();
    }

    private void pressed(String name) {
        pressed.merge(name, 1, (old, one) -> (Integer) old + 1);
        write();
    }

    private void write() {
        state.put("pressed", pressed);
        state.put("commands", commands);
        try {
            Path fresh = Paths.get(path + ".new");
            Files.write(fresh, json(state).getBytes(StandardCharsets.UTF_8));
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            List<String> parts = new ArrayList<>();
            map.forEach((key, held) -> parts.add(json(key) + ": " + json(held)));
            return "{" + String.join(", ", parts) + "}";
        }
        if (value instanceof List<?> list) {
            return "[" + String.join(", ", list.stream().map(ZooSwing::json).toList()) + "]";
        }
        return value instanceof String text ? quoted(text) : String.valueOf(value);
    }

    private static String quoted(String text) {
        StringBuilder said = new StringBuilder("\"");
        for (char letter : text.toCharArray()) {
            boolean plain = letter >= ' ' && letter < 127 && letter != '"' && letter != '\\';
            said.append(plain ? String.valueOf(letter) : String.format("\\u%04x", (int) letter));
        }
        return said.append('"').toString();
    }

    // -- pages ------------------------------------------------------------------------------------------------
    private JMenuBar menus() {
        JMenuBar bar = new JMenuBar();
        JMenu file = new JMenu("File");
        JMenu edit = new JMenu("Edit");
        JMenu recent = new JMenu("Recent");
        for (String name : List.of("New", "Open…", "Send")) {
            file.add(listened(new JMenuItem(name), name));
        }
        for (String name : List.of("One", "Two")) {
            recent.add(listened(new JMenuItem(name), name));
        }
        file.add(recent);
        JMenuItem rename = listened(new JMenuItem("Rename…"), "Rename…");
        rename.addActionListener(event -> ask());
        edit.add(rename);
        JCheckBoxMenuItem wrap = new JCheckBoxMenuItem("Word wrap");
        wrap.addItemListener(event -> put("wrap", wrap.isSelected()));
        edit.add(wrap);
        bar.add(file);
        bar.add(edit);
        return bar;
    }

    private <B extends AbstractButton> B listened(B button, String name) {
        button.addActionListener(event -> pressed(name));
        named.put(name, button);
        return button;
    }

    private JToolBar toolbar() {
        JToolBar bar = new JToolBar("Main");
        for (String name : List.of("Reload", "Stop")) {
            bar.add(listened(new JButton(name), name));
        }
        JToggleButton bold = new JToggleButton("Bold");
        bold.addItemListener(event -> put("bold", bold.isSelected()));
        bar.add(bold);
        return bar;
    }

    private JComponent buttons() {
        JPanel page = new JPanel(new GridLayout(0, 1, 4, 4));
        for (String name : List.of("Save", "Delete", "OK r22, Delete", "Replaced", "Renamed", "Disabled", "Ask")) {
            page.add(listened(new JButton(name), name));
        }
        named.get("Disabled").setEnabled(false);
        named.get("Ask").addActionListener(event -> ask());
        JCheckBox check = new JCheckBox("Wrap lines");
        check.addItemListener(event -> put("check", check.isSelected()));
        page.add(check);
        JPanel row = new JPanel(new FlowLayout(FlowLayout.LEADING));
        row.setBorder(BorderFactory.createTitledBorder("Colour"));
        ButtonGroup group = new ButtonGroup();
        for (String name : List.of("Red", "Green", "Blue")) {
            JRadioButton radio = new JRadioButton(name, name.equals("Red"));
            radio.addItemListener(event -> { if (radio.isSelected()) put("radio", name); });
            group.add(radio);
            row.add(radio);
        }
        page.add(row);
        page.add(context());
        return page;
    }

    private JComponent context() {
        JButton spot = new JButton("Context");
        JPopupMenu menu = new JPopupMenu();
        for (String name : List.of("Copy here", "Move here")) {
            menu.add(listened(new JMenuItem(name), name));
        }
        spot.setComponentPopupMenu(menu);
        return spot;
    }

    private JComponent fields() {
        JPanel page = new JPanel(new GridLayout(0, 2, 6, 6));
        JTextField name = new JTextField("first");
        labelled(page, "Name", name, text -> put("entry", text));
        JPasswordField secret = new JPasswordField();
        labelled(page, "Password", secret, text -> put("password", text));
        JTextField fixed = new JTextField("fixed");
        fixed.setEditable(false);
        labelled(page, "Read only", fixed, text -> { });
        JSpinner spin = new JSpinner(new SpinnerNumberModel(1, 1, 99, 1));
        spin.addChangeListener(event -> put("spin", spin.getValue()));
        labelled(page, "Copies", spin, null);
        JSlider slider = new JSlider(0, 100, 0);
        slider.addChangeListener(event -> put("slider", slider.getValue()));
        labelled(page, "Volume", slider, null);
        JComboBox<String> font = new JComboBox<>(new String[] {"Arial", "Courier", "Times"});
        font.addActionListener(event -> put("font", font.getSelectedItem()));
        labelled(page, "Font", font, null);
        JComboBox<String> size = new JComboBox<>(new String[] {"8", "10", "12"});
        size.setEditable(true);
        size.addActionListener(event -> put("size", size.getSelectedItem()));
        labelled(page, "Size", size, null);
        JTextArea notes = new JTextArea(4, 20);
        labelled(page, "Notes", notes, text -> put("notes", text));
        state.putAll(Map.of("entry", "first", "spin", 1, "slider", 0, "notes", "", "password", ""));
        return page;
    }

    private void labelled(JPanel page, String name, JComponent field, Consumer<String> changed) {
        JLabel label = new JLabel(name);
        label.setLabelFor(field);
        page.add(label);
        page.add(field instanceof JTextArea ? new JScrollPane(field) : field);
        if (field instanceof JTextComponent text && changed != null) {
            text.getDocument().addDocumentListener(new Listening(() -> changed.accept(text.getText())));
        }
    }

    private JComponent lists() {
        DefaultListModel<String> model = new DefaultListModel<>();
        List.of("Apple", "Banana", "Cherry").forEach(model::addElement);
        for (int n = 1; n <= 40; n++) {
            model.addElement("Fruit " + n);
        }
        JList<String> fruit = new JList<>(model);
        fruit.getAccessibleContext().setAccessibleName("Fruit");
        fruit.addListSelectionListener(event -> put("fruit", fruit.getSelectedValuesList()));
        DefaultMutableTreeNode root = new DefaultMutableTreeNode("World");
        for (List<String> part : List.of(List.of("Europe", "France", "Italy"), List.of("Asia", "Japan", "Nepal"))) {
            DefaultMutableTreeNode parent = new DefaultMutableTreeNode(part.get(0));
            part.subList(1, part.size()).forEach(child -> parent.add(new DefaultMutableTreeNode(child)));
            root.add(parent);
        }
        JTree tree = new JTree(root);
        tree.getAccessibleContext().setAccessibleName("Places");
        tree.addTreeSelectionListener(event -> {
            Object last = tree.getLastSelectedPathComponent();
            put("place", last == null ? null : last.toString());
        });
        tree.addTreeExpansionListener(new TreeExpansionListener() {
            @Override
            public void treeExpanded(TreeExpansionEvent event) {
                put("expanded", event.getPath().getLastPathComponent().toString());
            }

            @Override
            public void treeCollapsed(TreeExpansionEvent event) {
                put("expanded", null);
            }
        });
        return new JSplitPane(JSplitPane.HORIZONTAL_SPLIT, new JScrollPane(fruit), new JScrollPane(tree));
    }

    private JComponent table() {
        Object[][] rows = new Object[ROWS][COLUMNS];
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                rows[row][column] = "abcde".charAt(column) + "-" + (row + 1);
            }
        }
        Object[] heads = {"Item", "Colour", "Price", "Count", "Note"};
        JTable table = new JTable(new DefaultTableModel(rows, heads));
        table.getAccessibleContext().setAccessibleName("Stock");
        table.getSelectionModel().addListSelectionListener(event -> put("row", table.getSelectedRow()));
        table.getModel().addTableModelListener(event -> put("changed", List.of(event.getFirstRow(), event.getColumn(),
            String.valueOf(table.getValueAt(event.getFirstRow(), event.getColumn())))));
        return new JScrollPane(table);
    }

    private JComponent ground() {
        JPanel inside = new JPanel(new GridLayout(0, 1, 4, 4));
        for (int n = 1; n <= 40; n++) {
            inside.add(listened(new JButton("Plank " + n), "Plank " + n));
        }
        JTextField source = new JTextField("Hammer");
        source.setDragEnabled(true);
        source.getAccessibleContext().setAccessibleName("Shelf");
        JTextField target = new JTextField();
        target.getAccessibleContext().setAccessibleName("Basket");
        target.getDocument().addDocumentListener(new Listening(() -> put("basket", target.getText())));
        JPanel ends = new JPanel(new GridLayout(0, 1));
        ends.add(source);
        ends.add(target);
        return new JSplitPane(JSplitPane.HORIZONTAL_SPLIT, ends, new JScrollPane(inside));
    }

    // -- talks and commands -----------------------------------------------------------------------------------
    private void ask() {
        JDialog talk = new JDialog(frame, "Rename", true);
        JPanel row = new JPanel(new GridLayout(0, 1));
        JTextField field = new JTextField(20);
        row.add(new JLabel("What is it to be called?"));
        labelled(row, "New name", field, text -> put("new_name", text));
        for (String answer : List.of("OK", "Cancel")) {
            JButton button = new JButton(answer);
            button.addActionListener(event -> {
                put("answer", answer.toLowerCase());
                talk.dispose();
            });
            row.add(button);
        }
        talk.add(row);
        talk.pack();
        talk.setLocationRelativeTo(frame);
        put("dialog", "rename");
        talk.setVisible(true);
        put("dialog", null);
    }

    private void command(String line) {
        String name = line.split(" ", 2)[0];
        String[] given = line.contains(" ") ? line.split(" ", 2)[1].split("\\|") : new String[0];
        switch (name) {
            case "page" -> pages.setSelectedIndex(Integer.parseInt(given[0]));
            case "ask" -> SwingUtilities.invokeLater(this::ask);
            case "rename" -> named.get(given[0]).setText(given[1]);
            case "disable" -> named.get(given[0]).setEnabled(false);
            case "freeze" -> sleep(Double.parseDouble(given[0]));
            case "quit" -> System.exit(0);
            default -> state.put("error", line + ": no such command");
        }
        SwingUtilities.invokeLater(() -> { commands++; write(); });
    }

    private static void sleep(double seconds) {
        try {
            Thread.sleep((long) (seconds * 1000));
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        lines.lines().forEach(line -> SwingUtilities.invokeLater(() -> command(line)));
    }

    public static void main(String[] arguments) throws Exception {
        String title = arguments.length > 1 ? arguments[1] : "Zoo Swing";
        ZooSwing[] zoo = new ZooSwing[1];
        SwingUtilities.invokeAndWait(() -> {
            zoo[0] = new ZooSwing(Paths.get(arguments[0]), title);
            zoo[0].state.putAll(Map.of("error", "", "ready", true));
            zoo[0].write();
        });
        zoo[0].listen();
    }

    /** Any change of a document. */
    private record Listening(Runnable heard) implements DocumentListener {
        @Override
        public void insertUpdate(DocumentEvent event) {
            heard.run();
        }

        @Override
        public void removeUpdate(DocumentEvent event) {
            heard.run();
        }

        @Override
        public void changedUpdate(DocumentEvent event) {
            heard.run();
        }
    }
}
